import { useQueryClient } from '@tanstack/react-query'
import { CreateBase, EditBase } from 'react-admin'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router-dom'

const sayNothing = () => undefined
/** react-admin fills forms in from this parameter of the address, fields that nobody sees as well. */
const FILLS_IN = 'source'

/** False while the address would fill a form in, until the parameter is taken out of it. */
function useCleanAddress(): boolean {
  const [params, setParams] = useSearchParams()
  const isClean = !params.has(FILLS_IN)
  const clean = useEffectEvent(() => {
    const rest = new URLSearchParams(params)
    rest.delete(FILLS_IN)
    setParams(rest, { replace: true })
  })
  useEffect(() => {
    if (!isClean) clean()
  }, [isClean])
  return isClean
}

interface Props {
  resource: string
  /** Id of the edited record; absent for a new one. */
  id: string | undefined
  children: ReactNode
}

/**
 * react-admin's edit or create controller, whose record and `save` are in context for what is inside. The page asks who may
 * do it, the form says what was done or refused, and the address decides what follows.
 */
export function RecordBase({ resource, id, children }: Props) {
  const { retry } = useQueryClient().getDefaultOptions().queries ?? {}
  const isClean = useCleanAddress()
  const controlled = { resource, disableAuthentication: true, redirect: false } as const
  if (!isClean) return null
  if (id === undefined) return <CreateBase {...controlled}>{children}</CreateBase>
  return (
    <EditBase
      {...controlled}
      id={id}
      mutationMode="pessimistic"
      queryOptions={{
        onError: sayNothing,
        refetchOnReconnect: true,
        refetchOnWindowFocus: true,
        ...(retry !== undefined && { retry }),
      }}
    >
      {children}
    </EditBase>
  )
}
