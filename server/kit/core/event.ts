/** A changed field: its value before and after. */
export interface Change {
  readonly from: unknown
  readonly to: unknown
}
export type Changes = { readonly [field: string]: Change }

/** One thing that happened, noted in the transaction that did it (design §5). */
export interface Event {
  readonly noun: string
  readonly record: string
  /** Id of the record that this one belongs to, such as an activity's incident. */
  readonly parent: string | null
  /** In the past: created, changed, resolved. */
  readonly verb: string
  readonly changes: Changes
  /** External people who may receive the event; internal people receive it by their permissions. */
  readonly externals: readonly string[]
  readonly at: string
}
