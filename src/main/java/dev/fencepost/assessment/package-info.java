/**
 * One run of online check, vulnerability query, threat intelligence, risk decision, notification.
 */
@org.jspecify.annotations.NullMarked
package dev.fencepost.assessment;
