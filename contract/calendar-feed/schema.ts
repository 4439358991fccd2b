import * as z from 'zod/mini'

/** A person's calendar of due times, without its address. */
export const CalendarFeed = z.object({
  /** When its address was made; null for a person without one. */
  createTimestamp: z.nullable(z.string()),
})
export type CalendarFeed = z.infer<typeof CalendarFeed>

/** A new calendar. Whoever knows the address reads it without signing in. */
export const IssuedCalendarFeed = z.object({ createTimestamp: z.string(), address: z.string() })
export type IssuedCalendarFeed = z.infer<typeof IssuedCalendarFeed>
