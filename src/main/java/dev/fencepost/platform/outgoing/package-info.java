/**
 * Requests to the outside: guarded addresses, bounded answers, time limits.
 *
 * <p>{@link dev.fencepost.platform.outgoing.OutgoingHttp} and {@link
 * dev.fencepost.platform.outgoing.OutgoingTcp} are the doors. Behind them a target becomes an
 * {@code Endpoint}, its name is looked up once, the {@code AddressGuard} judges what came of it,
 * and the address that was judged is the one connected to.
 */
@org.jspecify.annotations.NullMarked
package dev.fencepost.platform.outgoing;
