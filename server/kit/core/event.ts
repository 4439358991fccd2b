/** Value of a field before and after a change. */
export interface Change {
  readonly from: unknown
  readonly to: unknown
}
export type Changes = { readonly [field: string]: Change }

/** An event, recorded in the transaction that caused it (design §5). */
export interface Event {
  readonly noun: string
  readonly record: string
  /** Id of the record's parent, such as an activity's incident. */
  readonly parent: string | null
  /** Past tense: created, changed, resolved. */
  readonly verb: string
  readonly changes: Changes
  /** External people who may receive the event; internal people receive it by their permissions. */
  readonly externals: readonly string[]
  readonly at: string
}
