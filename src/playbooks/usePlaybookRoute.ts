import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'

import { byParameters } from '#src/kit/browser/navigation.ts'

/** Address parameters that open an editor. */
const EDITORS = ['edit', 'clone', 'new'] as const
/** The editing mode (operations §4), or that a new playbook is written. */
export type EditorMode = (typeof EDITORS)[number]
/** Address parameters of the list, which stay while another playbook is opened. */
const LIST = ['q', 'review'] as const

/** Whether a navigation leaves an editor. */
export const leavesEditor = byParameters(...EDITORS, 'category')

/** The addresses of playbooks and editors; each keeps what the list is narrowed to. */
export function usePlaybookAddress() {
  const [params] = useSearchParams()
  return (id?: string, more: Readonly<Record<string, string>> = {}) => {
    const search = new URLSearchParams(more)
    for (const name of LIST) if (params.has(name)) search.set(name, params.get(name)!)
    return { pathname: id === undefined ? '/playbooks' : `/playbooks/${id}`, search: String(search) }
  }
}

/** The playbook and the editing mode of the page's address, and ways to change them. */
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
    /** The category of a new playbook. */
    categoryId: params.get('category'),
    /** Replaces the editor in the history, because nobody wants to go back to it. */
    show: (shown: string) => void navigate(addressOf(shown), { replace: true }),
    showList: () => void navigate(addressOf(), { replace: true }),
    /** To the list that the playbook was opened from. */
    back: () => void (opensHere ? navigate(-1) : navigate(addressOf(), { replace: true })),
    edit: (edited: string) => void navigate(addressOf(edited, { edit: '1' })),
    clone: (cloned: string) => void navigate(addressOf(cloned, { clone: '1' })),
    create: (category?: string | null) =>
      void navigate(addressOf(undefined, { new: '1', ...(category && { category }) })),
  }
}
export type PlaybookRoute = ReturnType<typeof usePlaybookRoute>
