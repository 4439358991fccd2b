import type { Refusal } from '../core/refusal.ts'

/** The default export of a module that runs in a process. What it is given and returns is cloned. */
export type TaskOf<Task, Result> = (task: Task, report: (report: number) => void) => Promise<Result> | Result

/** Sent to a process. */
export interface Request {
  /** The address of the module. */
  readonly module: string
  readonly task: unknown
}
/** Sent by a process: reports, then one of the others. */
export type Answer =
  | { readonly report: number }
  | { readonly result: unknown }
  | { readonly status: number; readonly sentence: string; readonly details: Refusal['details'] }
  /** An error of ours, with its stack. */
  | { readonly fault: string }
