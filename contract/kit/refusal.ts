import * as z from 'zod/mini'

/** The body of every refusal (decisions §1). */
export const Problem = z.object({
  /** For programs. */
  code: z.string(),
  /** For people. */
  message: z.string(),
  /** Messages by path of the invalid field. */
  fields: z.optional(z.record(z.string(), z.string())),
  /** All problems, where a form shows them as a list. */
  errorMessages: z.optional(z.array(z.string())),
  msUntilNextAttempt: z.optional(z.int()),
})
export type Problem = z.infer<typeof Problem>
