import { useSyncExternalStore } from 'react'

import type { PhoneReader } from '#contract/kit/phone.ts'

import { loadOnline } from './browser/lazy.ts'

type Library = typeof import('libphonenumber-js/max')
/** A number in E.164, and its extension. */
export type WrittenPhone = readonly [number: string | null, extension?: string | null]

let library: Library | undefined
let loading: Promise<Library> | undefined
const subscribers = new Set<() => void>()
const subscribe = (subscriber: () => void) => {
  subscribers.add(subscriber)
  return () => subscribers.delete(subscriber)
}

/** The library of phone numbers, loaded when it is needed first. */
export const loadPhoneLibrary = (): Promise<Library> =>
  (loading ??= loadOnline(() => import('libphonenumber-js/max')).then((loaded) => {
    library = loaded
    for (const notify of subscribers) notify()
    return loaded
  }))

/** Reads phone numbers like the server. */
export const loadPhoneReader = async (country: string | null): Promise<PhoneReader> => ({
  library: await loadPhoneLibrary(),
  country,
})

const NORTH_AMERICA = /^\+1(\d{3})(\d{3})(\d{4})$/
/** Groups a number as its country does. Numbers outside North America need the library, and stay as they are until then. */
function grouped(number: string): string {
  if (!number.startsWith('+') || NORTH_AMERICA.test(number))
    return number.replace(NORTH_AMERICA, '+1 $1 $2 $3')
  if (library === undefined) void loadPhoneLibrary().catch(() => undefined)
  return library?.parsePhoneNumberFromString(number)?.formatInternational() ?? number
}

/** A number with its extension for reading. An import reads it again. */
export function readablePhone(number: string | null, extension?: string | null): string {
  if (number === null) return ''
  return extension ? `${grouped(number)} ext. ${extension}` : grouped(number)
}
/** Numbers with their extensions, the one dialled first at first. An import reads them again. */
export const readablePhones = (phones: readonly WrittenPhone[]): string =>
  phones
    .map(([number, extension]) => readablePhone(number, extension))
    .filter(Boolean)
    .join(' / ')

/** The format of phone numbers. Renders again once numbers of other countries can be grouped. */
export function useReadablePhone(): typeof readablePhone {
  useSyncExternalStore(subscribe, () => library)
  return readablePhone
}

/** The address of a call (RFC 3966). The extension follows once the call is answered. */
export const telOf = (number: string, extension?: string | null): string =>
  `tel:${number}${extension ? `;ext=${extension}` : ''}`
