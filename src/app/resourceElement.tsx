import { Resource } from 'react-admin'
import type { ReactElement } from 'react'
import { Navigate, useParams } from 'react-router-dom'

import type { AnyEntry } from '#src/kit/resource/resource.ts'

/** Redirects react-admin's form addresses (`/groups/create`, `/groups/1`) to the list with the form open. */
function ToForm({ path }: { path: string }) {
  const { id } = useParams()
  const search = new URLSearchParams(id === undefined ? { create: '1' } : { edit: id })
  return <Navigate to={{ pathname: path, search: String(search) }} replace />
}

/** react-admin's `<Resource>` for a list and its forms, named by its path. */
export function resourceElement(
  path: string,
  resource: Pick<AnyEntry, 'hasCreate' | 'hasEdit'> | undefined,
  list: ReactElement,
) {
  const name = path.slice(1)
  const form = <ToForm path={path} />
  return (
    <Resource
      key={name}
      name={name}
      list={list}
      {...(resource?.hasCreate && { create: form })}
      {...(resource?.hasEdit && { edit: form })}
    />
  )
}
