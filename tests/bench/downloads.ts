import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'

/** A repeated download. */
interface Download {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Concurrent connections. */
  readonly connections: number
}

/**
 * Downloads in a separate process, so that receiving takes no time from the measurement. Returns once all downloads
 * have begun, with a function that stops them.
 */
export async function startDownloads(download: Download): Promise<() => Promise<void>> {
  const child = fork(import.meta.filename, ['download'])
  const exited = once(child, 'exit')
  child.send(download)
  await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('The downloads ended before they had begun.'))),
  ])
  return async () => {
    child.kill('SIGTERM')
    await exited
  }
}

const oneDownload = ({ url, headers }: Download, began: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`A download was answered with ${response.statusCode}.`))
      response.once('data', began).once('end', resolve).resume()
    })
    sent.once('error', reject).end()
  })

if (process.argv[2] === 'download')
  process.once('message', async (download: Download) => {
    let begun = 0
    const began = () => {
      begun += 1
      if (begun === download.connections) process.send!('begun')
    }
    const forever = async () => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other on each connection
      for (;;) await oneDownload(download, began)
    }
    await Promise.all(Array.from({ length: download.connections }, forever))
  })
// Ends with its parent process.
process.once('disconnect', () => process.exit())
