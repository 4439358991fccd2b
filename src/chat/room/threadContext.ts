import { createContext, useContext } from 'react'

interface Threads {
  /** True for messages that are shown in their thread. */
  readonly isInThread: boolean
  /** Opens the thread of a message beside the room. Undefined where there are no threads. */
  readonly open: ((threadId: string) => void) | undefined
}
/** Threads of the messages below. */
export const ThreadContext = createContext<Threads>({ isInThread: false, open: undefined })
export const useThreads = (): Threads => useContext(ThreadContext)
