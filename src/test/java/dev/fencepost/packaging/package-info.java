/** Whether what surrounds the code fits it: images, manifests, alerts, the bill of materials. */
package dev.fencepost.packaging;
