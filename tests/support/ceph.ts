import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

import { AwsClient } from 'aws4fetch'

import type { S3Settings } from '#server/kit/core/settings.ts'

import { freePort } from './nginx.ts'

const PROGRAMS = ['ceph', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin']
export const HAS_CEPH = PROGRAMS.every((name) => existsSync(join('/usr/bin', name)))

const ACCESS_KEY = 'MUSTERCHECKKEY'
const SECRET_KEY = 'the-secret-of-the-check'
const BUCKET = 'muster-check'
const run = promisify(execFile)

/** One monitor, one store in memory and the gateway, without authentication between them. */
const configOf = (folder: string, fsid: string, monitor: string, gateway: number) => `
[global]
fsid = ${fsid}
mon host = ${monitor}
public network = 127.0.0.0/8
auth cluster required = none
auth service required = none
auth client required = none
# The gateway's own default is a mode that needs authentication.
ms mon client mode = crc
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 2147483648
mon allow pool size one = true
mon max pg per osd = 1000
run dir = ${folder}
admin socket = ${folder}/$name.$pid.asok
log file = ${folder}/$name.log
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${gateway}
`

async function until(isDone: () => Promise<unknown>, what: string): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    if (await isDone().catch(() => false)) return
    await wait(1_000)
  }
  throw new Error(`${what} did not start.`)
}

/** Starts Ceph's S3 gateway on this machine with an empty bucket. Everything is in memory and in a temporary folder. */
export async function startCeph(): Promise<{ settings: S3Settings; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-ceph-'))
  const [v2, v1, gateway] = [await freePort(), await freePort(), await freePort()]
  const fsid = crypto.randomUUID()
  const monitor = `[v2:127.0.0.1:${v2}/0,v1:127.0.0.1:${v1}/0]`
  const config = join(folder, 'ceph.conf')
  await mkdir(join(folder, 'mon'))
  await mkdir(join(folder, 'osd'))
  await writeFile(config, configOf(folder, fsid, monitor, gateway))
  const running: ChildProcess[] = []
  const ceph = (program: string, ...args: string[]) =>
    run(program, ['-c', config, ...args], { timeout: 60_000 })
  const start = (program: string, ...args: string[]) =>
    running.push(spawn(program, ['-c', config, '-f', ...args], { stdio: 'ignore' }))
  const stop = async () => {
    for (const child of running.toReversed()) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const map = join(folder, 'monmap')
    await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', monitor, map])
    await ceph('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map)
    start('ceph-mon', '-i', 'a')
    await until(() => ceph('ceph', 'mon', 'stat'), 'The monitor of Ceph')
    const store = crypto.randomUUID()
    await ceph('ceph', 'osd', 'new', store)
    await ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store)
    start('ceph-osd', '-i', '0')
    await until(async () => (await ceph('ceph', 'osd', 'stat')).stdout.includes('1 up'), 'The store of Ceph')
    const keys = [`--access-key=${ACCESS_KEY}`, `--secret-key=${SECRET_KEY}`]
    await ceph(
      'radosgw-admin',
      '-n',
      'client.rgw',
      'user',
      'create',
      '--uid=muster',
      '--display-name=muster',
      ...keys,
    )
    start('radosgw', '-n', 'client.rgw')
    const settings = {
      bucket: BUCKET,
      endpoint: `http://127.0.0.1:${gateway}`,
      region: 'us-east-1',
      accessKeyId: ACCESS_KEY,
      secretAccessKey: SECRET_KEY,
    }
    const client = new AwsClient({ ...settings, service: 's3', retries: 0 })
    const makeBucket = async () =>
      (await client.fetch(`${settings.endpoint}/${BUCKET}`, { method: 'PUT' })).ok
    await until(makeBucket, 'The gateway of Ceph')
    return { settings, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
