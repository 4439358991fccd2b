import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'

import { byParameters } from '#src/kit/browser/navigation.ts'

/** Address parameters that open an editor. */
const EDITORS = ['edit', 'clone', 'new'] as const
/** Editing mode (operations §4), or `new`. */
export type EditorMode = (typeof EDITORS)[number]
/** Address parameters of the list, kept while another playbook is opened. */
const LIST = ['q', 'review', 'show', 'sort'] as const

/** True if a navigation leaves an editor. */
export const leavesEditor = byParameters(...EDITORS, 'category')

/** Addresses of playbooks and editors, with the list's filter. */
export function usePlaybookAddress() {
  const [params] = useSearchParams()
  return (id?: string, more: Readonly<Record<string, string>> = {}) => {
    const search = new URLSearchParams(more)
    for (const name of LIST) if (params.has(name)) search.set(name, params.get(name)!)
    return { pathname: id === undefined ? '/playbooks' : `/playbooks/${id}`, search: String(search) }
  }
}

/** Playbook and editing mode of the address, and functions to change them. */
export function usePlaybookRoute(canWrite: boolean) {
  const { id } = useParams()
  const [params] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const addressOf = usePlaybookAddress()
  const wanted = EDITORS.find((mode) => params.has(mode))
  const isPossible = wanted === 'new' ? id === undefined : id !== undefined
  const opensHere = (state as { opensHere?: boolean } | null)?.opensHere === true
  return {
    id,
    mode: canWrite && wanted && isPossible ? wanted : undefined,
    categoryId: params.get('category'),
    /** Replaces the editor's history entry, so that Back skips it. */
    show: (shown: string) => void navigate(addressOf(shown), { replace: true }),
    showList: () => void navigate(addressOf(), { replace: true }),
    /** Opens the whole list, or a playbook in it, without the list's filter. */
    reveal: (shown?: string) => void navigate(shown === undefined ? '/playbooks' : `/playbooks/${shown}`),
    /** Back to the list from which the playbook was opened. */
    back: () => void (opensHere ? navigate(-1) : navigate(addressOf(), { replace: true })),
    edit: (edited: string) => void navigate(addressOf(edited, { edit: '1' })),
    clone: (cloned: string) => void navigate(addressOf(cloned, { clone: '1' })),
    create: (category?: string | null) =>
      void navigate(addressOf(undefined, { new: '1', ...(category && { category }) })),
  }
}
export type PlaybookRoute = ReturnType<typeof usePlaybookRoute>
