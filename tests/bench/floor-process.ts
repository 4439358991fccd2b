import { spawn } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A least program as reference for the product, in a process of its own. */
export interface Floor {
  readonly pid: number
  readonly url: string
  stop(): Promise<void>
}

/** Starts a file that calls `serveFloor`, and waits until it listens. */
export async function startFloorProcess(file: string, plan: object): Promise<Floor> {
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (said) => resolve((said as { port: number }).port))
    void exited.then(() => reject(new Error('The floor ended before it was ready.')))
    child.send(plan)
  })
  return {
    pid: child.pid!,
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}

/** Responds to requests with a listener that is made from the received plan. */
export function serveFloor<Plan>(make: (plan: Plan) => RequestListener | Promise<RequestListener>): void {
  process.once('message', async (plan) => {
    const server = createServer(await make(plan as Plan))
    server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
  })
  // Ends with its parent process.
  process.once('disconnect', () => process.exit())
}
