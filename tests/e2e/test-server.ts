/** A real server on a data folder of its own. */
export interface TestServer {
  readonly url: string
  readonly dataDir: string
}

const SERVERS = 'MUSTER_TEST_SERVERS'

/** Publishes the servers' addresses to the workers of a run. */
export const announce = (servers: readonly TestServer[]): void => {
  process.env[SERVERS] = JSON.stringify(servers.map(({ url, dataDir }) => ({ url, dataDir })))
}

/** The calling worker's server: stories of two workers never meet. */
export const testServer: TestServer = (JSON.parse(process.env[SERVERS] ?? '[]') as TestServer[])[
  Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)
] ?? { url: '', dataDir: '' }
