/** Measurements of Fencepost beside what people would use instead. Not part of the product. */
package dev.fencepost.bench;
