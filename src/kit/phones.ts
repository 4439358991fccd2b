import type { PhoneReader } from '#contract/kit/phone.ts'

/** Reads phone numbers like the server. The library is loaded when it is needed first. */
export const loadPhoneReader = async (country: string | null): Promise<PhoneReader> => ({
  library: await import('libphonenumber-js/max'),
  country,
})
