import { ROOT } from '#contract/files/schema.ts'

import type { ItemPlace, ItemSort, ItemView } from './selectionValues.ts'

const PAGE = '/secure-file-storage'
const BY_NAME: ItemSort = ['name', 'ASC']
const SORT_FIELDS: readonly ItemSort[0][] = ['name', 'updateTimestamp', 'size']
const PLACES: readonly ItemPlace[] = ['recent', 'starred']

/** Parses a positive integer of the address. */
const numberIn = (parameter: string | null): number | undefined =>
  parameter !== null && /^\d{1,15}$/.test(parameter) && Number(parameter) > 0 ? Number(parameter) : undefined

/** Parses a folder id from the address; anything but a positive integer is the root. */
export const folderOf = (parameter: string | null): number => numberIn(parameter) ?? ROOT

/** The file that the address opens. */
export const fileIn = (address: URLSearchParams): number | undefined => numberIn(address.get('file'))

function sortIn(parameter: string | null): ItemSort {
  const [field, order] = parameter?.split('.') ?? []
  const known = SORT_FIELDS.find((one) => one === field)
  return known ? [known, order === 'DESC' ? 'DESC' : 'ASC'] : BY_NAME
}

/** The list that an address shows. */
export function viewIn(address: URLSearchParams): ItemView {
  const place = PLACES.find((one) => one === address.get('view')) ?? 'folder'
  return {
    place,
    folderId: place === 'folder' ? folderOf(address.get('folder')) : ROOT,
    search: place === 'folder' ? (address.get('q') ?? '').trim() : '',
    isCreatedByMe: address.get('mine') === '1',
    page: numberIn(address.get('page')) ?? 1,
    sort: sortIn(address.get('sort')),
  }
}

/** The address of a list. What is usual is left out. */
export function addressOf({ place, folderId, search, isCreatedByMe, page, sort }: ItemView): URLSearchParams {
  const entries: readonly (readonly [string, string | number | false])[] = [
    ['folder', folderId !== ROOT && folderId],
    ['view', place !== 'folder' && place],
    ['q', search !== '' && search],
    ['mine', isCreatedByMe && 1],
    ['page', page > 1 && page],
    ['sort', sort.join('.') !== BY_NAME.join('.') && sort.join('.')],
  ]
  return new URLSearchParams(
    entries.flatMap(([name, value]) => (value === false ? [] : [[name, String(value)]])),
  )
}

const pathOf = (address: URLSearchParams): string => {
  const search = String(address)
  return search === '' ? PAGE : `${PAGE}?${search}`
}

const PLAIN = viewIn(new URLSearchParams())
/** The address of a folder, on its first page and without a search. Order and owner are kept from `view`. */
export const folderAddress = (folderId: number, { isCreatedByMe, sort }: ItemView): URLSearchParams =>
  addressOf({ ...PLAIN, folderId, isCreatedByMe, sort })

/** The path of a folder. */
export const folderPath = (id: number, view: ItemView = PLAIN): string => pathOf(folderAddress(id, view))

/** The path of a list of the person's own. */
export const placePath = (place: ItemPlace): string => pathOf(addressOf({ ...PLAIN, place }))

/** The path that opens a file in its folder. */
export const filePath = (id: number, folderId: number): string => {
  const address = new URLSearchParams(folderId === ROOT ? [] : [['folder', String(folderId)]])
  address.set('file', String(id))
  return pathOf(address)
}
