import * as z from 'zod/mini'

import { text } from './text.ts'

/** A boolean in a query string. */
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

/** Query of a document that is shown page by page. */
export const pageQuery = z.object({ page: wholeNumber(1, 1, 10_000) })
/** Query of a file. `shown=true` converts a page of an image that not all browsers show to WebP. */
export const shownQuery = z.extend(pageQuery, { shown: z.optional(truth) })

/** A value as JSON text. */
export const json = <S extends z.ZodMiniType>(schema: S, what: string) =>
  z.pipe(
    z.string().check(z.maxLength(4_000)),
    z.pipe(
      z.transform((value: string, context) => {
        try {
          return JSON.parse(value) as unknown
        } catch {
          context.issues.push({ code: 'custom', message: `${what} must be JSON.`, input: value })
          return z.NEVER
        }
      }),
      schema,
    ),
  )

export const PAGE_MAX = 1_000
/**
 * The list parameters of `ra-data-simple-rest`: `sort=["name","ASC"]`, `range=[0,49]` (both ends inclusive)
 * and `filter={...}`. Without `range` the whole list is returned.
 */
export const listQuery = <Field extends string, Filter extends z.ZodMiniType>(
  fields: readonly [Field, ...Field[]],
  filter: Filter,
) =>
  z.object({
    sort: z.optional(json(z.tuple([z.enum(fields), z.enum(['ASC', 'DESC'])]), 'sort')),
    range: z.optional(
      json(
        z
          .tuple([z.int().check(z.nonnegative()), z.int().check(z.nonnegative())])
          .check(
            z.refine(
              ([from, to]) => to >= from && to - from < PAGE_MAX,
              `A page holds at most ${PAGE_MAX} rows.`,
            ),
          ),
        'range',
      ),
    ),
    filter: z.optional(json(filter, 'filter')),
  })

/** Query of an import whose rows were read from a file: its name, for the report. */
export const FromFile = z.object({ fileName: z.optional(text()) })
