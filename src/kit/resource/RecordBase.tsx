import { useQueryClient } from '@tanstack/react-query'
import { CreateBase, EditBase } from 'react-admin'
import type { ReactNode } from 'react'

const sayNothing = () => undefined

interface Props {
  resource: string
  /** Of the record that is edited; absent for a new one. */
  id: string | undefined
  children: ReactNode
}

/**
 * react-admin's edit or create controller, whose record and `save` are in context for what is inside. The page asks who may
 * do it, the form says what was done or refused, and the address decides what follows.
 */
export function RecordBase({ resource, id, children }: Props) {
  const { retry } = useQueryClient().getDefaultOptions().queries ?? {}
  const controlled = { resource, disableAuthentication: true, redirect: false } as const
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
