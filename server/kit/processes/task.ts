import type { Refusal } from '../core/refusal.ts'

/** Default export of a module that runs in a process. Input and result are cloned. */
export type TaskOf<Task, Result> = (task: Task, report: (report: number) => void) => Promise<Result> | Result

/** Message to a process. */
export interface Request {
  /** URL of the module. */
  readonly module: string
  readonly task: unknown
}
/** Messages of a process: reports, then one of the others. */
export type Answer =
  | { readonly report: number }
  | { readonly result: unknown }
  | { readonly status: number; readonly sentence: string; readonly details: Refusal['details'] }
  /** An unexpected error with its stack. */
  | { readonly fault: string }
