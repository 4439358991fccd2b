import type { Source } from './detect.ts'

/** Header of a compound file ([MS-CFB] 2.2), and the places of its fields. */
const HEADER_SIZE = 512
const SECTOR_SHIFT_AT = 30
const DIRECTORY_AT = 48
const TABLE_SECTORS_AT = 68
/** Sectors of the allocation table that the header itself names. */
const NAMED = { at: 76, count: 109 }
const SECTOR_SHIFTS = [9, 12]
/** Larger numbers mark the end of a chain, and free sectors. */
const SECTOR_MAX = 0xfffffffa
const ENTRY_SIZE = 128
const NAME_LENGTH_AT = 64
/** Sectors of the directory, and of the list of the allocation table, that are read: a few suffice. */
const READ_MAX = 64

/**
 * True if a compound file has an entry of this name. Office wraps a document with a password in one: its only large
 * stream is `EncryptedPackage` ([MS-OFFCRYPTO] 2.3).
 */
export async function hasEntry(source: Source, name: string): Promise<boolean> {
  if (source.size < HEADER_SIZE) return false
  const header = await source.read(0, HEADER_SIZE)
  const shift = header.readUInt16LE(SECTOR_SHIFT_AT)
  if (!SECTOR_SHIFTS.includes(shift)) return false
  const size = 2 ** shift
  const sectorAt = async (number: number): Promise<Buffer | undefined> => {
    const from = (number + 1) * size
    if (number > SECTOR_MAX || from + size > source.size) return undefined
    return source.read(from, from + size)
  }
  /** The `n`th sector of the allocation table: the header names the first ones, a chain of sectors the others. */
  const tableSector = async (n: number): Promise<Buffer | undefined> => {
    if (n < NAMED.count) return sectorAt(header.readUInt32LE(NAMED.at + n * 4))
    const perSector = size / 4 - 1
    let [list, rest] = [await sectorAt(header.readUInt32LE(TABLE_SECTORS_AT)), n - NAMED.count]
    for (let read = 0; list && rest >= perSector && read < READ_MAX; read++) {
      rest -= perSector
      list = await sectorAt(list.readUInt32LE(size - 4))
    }
    return list && rest < perSector ? sectorAt(list.readUInt32LE(rest * 4)) : undefined
  }
  const wanted = Buffer.from(`${name}\0`, 'utf16le')
  let number = header.readUInt32LE(DIRECTORY_AT)
  for (let read = 0; read < READ_MAX; read++) {
    const sector = await sectorAt(number)
    if (!sector) return false
    for (let at = 0; at < size; at += ENTRY_SIZE) {
      const length = sector.readUInt16LE(at + NAME_LENGTH_AT)
      if (length === wanted.length && sector.subarray(at, at + length).equals(wanted)) return true
    }
    const table = await tableSector(Math.floor(number / (size / 4)))
    if (!table) return false
    number = table.readUInt32LE((number % (size / 4)) * 4)
  }
  return false
}
