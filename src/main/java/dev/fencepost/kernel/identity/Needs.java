package dev.fencepost.kernel.identity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which permissions open an endpoint: any one of them, or, with none named, any caller who is
 * known. An endpoint without it is closed, unless it is {@link Open}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Needs {

  /** Any one of these is enough; none: being known is. */
  Permission[] value();
}
