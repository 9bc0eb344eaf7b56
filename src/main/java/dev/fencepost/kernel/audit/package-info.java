/** Events that scripts append beside the facts they change. */
@org.jspecify.annotations.NullMarked
package dev.fencepost.kernel.audit;
