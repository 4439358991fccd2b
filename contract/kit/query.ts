import * as z from 'zod/mini'

/** True or false in a query string. */
export const truth = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
)
/** A whole number in a query string. */
export const wholeNumber = (fallback: number, min: number, max: number) =>
  z._default(
    z.coerce
      .number()
      .check(z.refine(Number.isInteger, 'A whole number is needed.'), z.minimum(min), z.maximum(max)),
    fallback,
  )
