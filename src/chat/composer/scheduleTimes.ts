const HOUR = 3_600_000
const HOURS_LATER = 3
/** Hour of the morning at which messages of later days are sent. */
const MORNING = 9
const MONDAY = 1

const morningAfter = (now: number, days: number): number => {
  const day = new Date(now)
  day.setDate(day.getDate() + days)
  return day.setHours(MORNING, 0, 0, 0)
}

/** A time at which a message can be sent, in milliseconds. */
export interface ScheduleTime {
  readonly name: 'laterToday' | 'tomorrow' | 'monday'
  readonly at: number
}
/**
 * The offered times of this zone: the full hour in about three hours unless it is tomorrow by then, tomorrow at 9:00, and
 * Monday at 9:00 unless that is tomorrow.
 */
export function scheduleTimes(now: number): ScheduleTime[] {
  const later = new Date(now + HOURS_LATER * HOUR).setMinutes(0, 0, 0)
  const isToday = new Date(later).toDateString() === new Date(now).toDateString()
  const toMonday = (MONDAY - new Date(now).getDay() + 7) % 7 || 7
  return [
    ...(isToday ? [{ name: 'laterToday', at: later } as const] : []),
    { name: 'tomorrow', at: morningAfter(now, 1) },
    ...(toMonday === 1 ? [] : [{ name: 'monday', at: morningAfter(now, toMonday) } as const]),
  ]
}
