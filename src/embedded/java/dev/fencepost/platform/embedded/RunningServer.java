package dev.fencepost.platform.embedded;

import java.util.Map;

/**
 * A server that answers.
 *
 * @param settings the configuration that leads to it
 * @param about one line for the operator
 */
record RunningServer(Supervised process, Map<String, String> settings, String about) {}
