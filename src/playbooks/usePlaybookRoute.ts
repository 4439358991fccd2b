import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'

import { byParameters } from '#src/kit/browser/navigation.ts'

/** Address parameters that open an editor. */
const EDITORS = ['edit', 'clone', 'new'] as const
/** The editing mode (operations §4), or that a new playbook is written. */
export type EditorMode = (typeof EDITORS)[number]

/** Whether a navigation leaves an editor. */
export const leavesEditor = byParameters(...EDITORS)

/** The playbook and the editing mode of the page's address, and ways to change them. */
export function usePlaybookRoute(canWrite: boolean) {
  const { id } = useParams()
  const [params] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const wanted = EDITORS.find((mode) => params.has(mode))
  const isPossible = wanted === 'new' ? id === undefined : id !== undefined
  return {
    id,
    mode: canWrite && wanted && isPossible ? wanted : undefined,
    /** The category of a new playbook. */
    categoryId: params.get('category'),
    opensHere: (state as { opensHere?: boolean } | null)?.opensHere === true,
    show: (shown: string) => void navigate(`/playbooks/${shown}`, { replace: true }),
    showList: () => void navigate('/playbooks', { replace: true }),
    edit: (edited: string) => void navigate(`/playbooks/${edited}?edit=1`),
    clone: (cloned: string) => void navigate(`/playbooks/${cloned}?clone=1`),
    create: (category?: string | null) =>
      void navigate(`/playbooks?new=1${category ? `&category=${encodeURIComponent(category)}` : ''}`),
  }
}
export type PlaybookRoute = ReturnType<typeof usePlaybookRoute>
