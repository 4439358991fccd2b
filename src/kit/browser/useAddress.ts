import { useCallback } from 'react'
import { type NavigateOptions, useNavigate, useSearchParams } from 'react-router-dom'

/** The parameters of the page's address at this moment: a page is drawn after its address has changed, a slow one later. */
export const addressNow = (): URLSearchParams => new URLSearchParams(window.location.search)

/**
 * The parameters of the page's address as they are drawn, and how to change them. A change is made to the address of the
 * moment, so that of two in quick succession neither is lost.
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
