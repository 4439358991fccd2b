import type { Refusal } from '../core/refusal.ts'

/** Default export of a module that runs in a process. Input and result are cloned. */
export type TaskOf<Task, Result> = (task: Task) => Promise<Result> | Result

/** Message to a process. */
export interface Request {
  /** URL of the module. */
  readonly module: string
  readonly task: unknown
}
/** The answer of a process. */
export type Answer =
  | { readonly result: unknown }
  | { readonly status: number; readonly sentence: string; readonly details: Refusal['details'] }
  /** An unexpected error with its stack. */
  | { readonly fault: string }
