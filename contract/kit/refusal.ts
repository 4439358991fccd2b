import * as z from 'zod/mini'

/** The one shape of every refusal (decisions §1). */
export const Problem = z.object({
  /** For programs. */
  code: z.string(),
  /** For a person. */
  message: z.string(),
  /** Path of a field to what is wrong with it. */
  fields: z.optional(z.record(z.string(), z.string())),
  /** Everything that is wrong, where a form shows it as a list. */
  errorMessages: z.optional(z.array(z.string())),
  msUntilNextAttempt: z.optional(z.int()),
})
export type Problem = z.infer<typeof Problem>
