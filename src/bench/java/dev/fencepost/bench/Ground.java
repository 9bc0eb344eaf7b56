package dev.fencepost.bench;

import java.io.IOException;

/** What scenarios stand on: the stores, and while it is wanted a town on them. */
final class Ground implements AutoCloseable {

  private final Stores stores = new Stores();
  private final Scale scale;
  private Town town;

  Ground(Scale scale) {
    this.scale = scale;
  }

  Scale scale() {
    return scale;
  }

  /** The one town; founded on empty stores when it is first asked for. */
  Town town() throws IOException {
    if (town == null) {
      stores.empty();
      town = new Town(stores);
    }
    return town;
  }

  /** The stores, with nothing on them. */
  Stores emptied() {
    leaveTown();
    stores.empty();
    return stores;
  }

  String redisVersion() {
    return stores.redisVersion();
  }

  private void leaveTown() {
    if (town != null) {
      town.close();
      town = null;
    }
  }

  @Override
  public void close() {
    leaveTown();
    stores.close();
  }
}
