import * as z from 'zod/mini'

import { DAY_MS } from '#contract/kit/time.ts'

/** Days of the longest period. */
export const FIGURES_DAYS_MAX = 1_100
export const PERIOD_INVALID = 'Please choose a period that ends after it begins, of at most three years.'

/** A day, such as 2026-03-12. */
const day = z.iso.date(PERIOD_INVALID)
/** The incidents that are counted, by the day of their declaration in the organisation's time zone. */
export const FiguresQuery = z.object({ from: day, to: day, isTabletop: z.enum(['true', 'false']) }).check(
  z.refine(
    ({ from, to }) => {
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
      return days >= 0 && days <= FIGURES_DAYS_MAX
    },
    { error: PERIOD_INVALID, path: ['to'] },
  ),
)

/** Minutes: half of the incidents took at most `median`, nine of ten at most `most`. Null where none got that far. */
export const Span = z.nullable(z.object({ median: z.number(), most: z.number() }))
export type Span = z.infer<typeof Span>
/** Figures of some incidents. */
export const Figures = z.object({
  count: z.int(),
  /** From the declaration to the first check-in. */
  checkIn: Span,
  /** To the first update. */
  update: Span,
  /** To the resolution. */
  resolution: Span,
})
export type Figures = z.infer<typeof Figures>

const Group = z.extend(Figures, {
  /** A month (`2026-03`), a severity, or the id of a kind; empty for incidents without a kind. */
  key: z.string(),
  /** Name of a kind. */
  name: z.nullable(z.string()),
})
export type FiguresGroup = z.infer<typeof Group>
/** Figures across incidents, without those that were merged into others. */
export const IncidentFigures = z.object({
  all: Figures,
  months: z.array(Group),
  severities: z.array(Group),
  kinds: z.array(Group),
})
export type IncidentFigures = z.infer<typeof IncidentFigures>
