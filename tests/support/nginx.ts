import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const PROGRAM = '/usr/sbin/nginx'
export const HAS_NGINX = existsSync(PROGRAM)
const OPERATIONS = join(import.meta.dirname, '../../docs/operations.md')

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The nginx configuration of docs/operations.md, with the given ports, certificate and product. */
export async function documentedConfig(parts: {
  https: number
  http: number
  product: number
  certificate: { cert: string; key: string }
}): Promise<string> {
  const [, block] = /```nginx\n([\s\S]+?)```/.exec(await readFile(OPERATIONS, 'utf8')) ?? []
  if (!block) throw new Error('docs/operations.md shows no nginx configuration.')
  const replacements: [RegExp, string][] = [
    [/listen 80;/, `listen 127.0.0.1:${parts.http};`],
    [/listen 443 ssl/, `listen 127.0.0.1:${parts.https} ssl`],
    [/server 127\.0\.0\.1:3000;/, `server 127.0.0.1:${parts.product};`],
    [/ssl_certificate [^;]+;/, `ssl_certificate ${parts.certificate.cert};`],
    [/ssl_certificate_key [^;]+;/, `ssl_certificate_key ${parts.certificate.key};`],
  ]
  return replacements.reduce((text, [pattern, value]) => {
    if (!pattern.test(text)) throw new Error(`The documented configuration has no ${pattern}.`)
    return text.replace(pattern, value)
  }, block)
}

/** Writes a self-signed certificate to a folder. */
export function selfSigned(folder: string): { cert: string; key: string } {
  const made = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const subject = ['-subj', '/CN=muster.example', '-days', '2', '-nodes']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', made.key, '-out', made.cert], {
    stdio: 'ignore',
  })
  return made
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** Runs nginx with this content of its `http` block, and waits until it listens on the port. */
export async function runNginx(
  configOf: (folder: string) => Promise<string> | string,
  port: number,
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    file,
    `${user} daemon off; worker_processes 1; pid ${join(folder, 'pid')}; events {}
     http { access_log off; ${temporary}\n${await configOf(folder)} }`,
  )
  const child = spawn(PROGRAM, ['-c', file, '-e', join(folder, 'error.log')], { stdio: 'inherit' })
  const exited = once(child, 'exit')
  while (child.exitCode === null && !(await answers(port))) await wait(20)
  if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'))
  return async () => {
    child.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
}
