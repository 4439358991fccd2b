import { useCallback } from 'react'
import { type NavigateOptions, useNavigate, useSearchParams } from 'react-router-dom'

/** Parameters of the current address, which can be ahead of a slowly rendering page. */
export const addressNow = (): URLSearchParams => new URLSearchParams(window.location.search)

/**
 * Rendered parameters of the address, and their setter. Changes apply to the current address, so that two in
 * quick succession are both kept.
 */
export function useAddress() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const change = useCallback(
    (next: (now: URLSearchParams) => URLSearchParams, options?: NavigateOptions) =>
      void navigate(`?${next(addressNow())}`, options),
    [navigate],
  )
  return [params, change] as const
}

/** Parameters with these changes; an empty value removes one. */
export function withChanges(
  params: URLSearchParams,
  changes: Readonly<Record<string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
