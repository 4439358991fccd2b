import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const INSTALLED = '/usr/sbin/nginx'

/** A web server that stores and serves files unchanged. */
export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts nginx on a folder of its own; null where it is not installed. */
export async function startNginx(): Promise<Nginx | null> {
  if (!existsSync(INSTALLED)) return null
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-nginx-'))
  const port = await freePort()
  await mkdir(join(folder, 'files'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join(' ')
  await writeFile(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${join(folder, 'pid')};
     error_log ${join(folder, 'error')}; events {}
     http { access_log off; ${temporary} sendfile on; tcp_nopush on; client_max_body_size 200m;
       server { listen 127.0.0.1:${port}; root ${join(folder, 'files')}; location / { dav_methods PUT DELETE; } } }`,
  )
  const child = spawn(INSTALLED, ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error')], {
    stdio: 'inherit',
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  while (child.exitCode === null && !(await isUp())) await sleep(50)
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
