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
