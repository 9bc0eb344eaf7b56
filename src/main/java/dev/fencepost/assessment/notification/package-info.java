/** Telling people, through webhooks and chat robots. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.assessment.notification;
