package dev.fencepost.asset;

import java.util.List;

/**
 * What became of a report.
 *
 * @param componentCount distinct components with a usable purl, nested ones included
 */
record InventoryReceipt(int componentCount, List<ReportedSoftware.Skipped> skipped) {}
