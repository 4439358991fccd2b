import { DamagedBlob } from '../blobs/frames.ts'
import { Refusal } from '../core/refusal.ts'

/** PostgreSQL: data_corrupted, index_corrupted, undefined_file, io_error. */
const DAMAGED_DATABASE = new Set(['XX001', 'XX002', '58P01', '58030'])
/** System codes for a full disk or quota, and PostgreSQL's disk_full. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100'])

export const storageFull = (): Refusal =>
  new Refusal(
    507,
    'The server has no room left to store anything. Nothing was saved. Please try again later.',
  )

/** The refusal for a storage failure; null for every other error. */
export function storageProblem(error: unknown): Refusal | null {
  if (error instanceof DamagedBlob)
    return new Refusal(
      500,
      'This file is damaged or missing on the server and has to be restored from a backup.',
      {
        code: 'file_damaged',
      },
    )
  const { code = '' } = error as { code?: unknown }
  if (typeof code !== 'string') return null
  if (FULL.has(code)) return storageFull()
  if (DAMAGED_DATABASE.has(code))
    return new Refusal(500, 'A part of the database is damaged and has to be restored from a backup.', {
      code: 'database_damaged',
    })
  return null
}
