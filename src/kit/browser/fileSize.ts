const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
const STEP = 1_024

/** Formats a size in its natural unit: 7 MB, 1.4 MB, 12 kB. */
export function fileSize(locale: string, bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)))
  const value = bytes / STEP ** power
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && power > 1 ? 1 : 0,
  }).format(value)
}
