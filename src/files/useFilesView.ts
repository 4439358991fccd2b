import { useCallback, useMemo, useState } from 'react'

import type { StorageItem } from '#contract/files/schema.ts'
import { useAddress } from '#src/kit/browser/useAddress.ts'

import type { ItemView } from './selectionValues.ts'
import { addressOf, fileIn, folderAddress, viewIn } from './useFilesRoute.ts'

const NONE: readonly number[] = []

/**
 * The list that the address shows, with the file that is open. The address holds all of it, so that the way back leads to
 * the same page of the same list; each list has a selection of its own, as long as the page is open.
 */
export function useFilesView() {
  const [address, setAddress] = useAddress()
  const view = useMemo(() => viewIn(address), [address])
  const [selections, setSelections] = useState<{ readonly [list: string]: readonly number[] }>({})
  const list = String(addressOf(view))
  /** Opens a folder, or a file above the list. */
  const open = useCallback(
    ({ id, isFolder }: Pick<StorageItem, 'id' | 'isFolder'>) =>
      isFolder
        ? setAddress((now) => folderAddress(id, viewIn(now)))
        : setAddress(
            (now) => {
              const next = addressOf(viewIn(now))
              next.set('file', String(id))
              return next
            },
            { replace: true },
          ),
    [setAddress],
  )
  return {
    view,
    /** Anything but turning a page begins at the first one. */
    change: (patch: Partial<ItemView>) =>
      setAddress((now) => addressOf({ ...viewIn(now), page: 1, ...patch }), {
        // The letters of one search are one step back.
        replace: patch.search !== undefined && view.search !== '',
      }),
    selectedIds: selections[list] ?? NONE,
    select: (ids: readonly number[]) => setSelections({ ...selections, [list]: ids }),
    fileId: fileIn(address),
    open,
    closeFile: () => setAddress((now) => addressOf(viewIn(now)), { replace: true }),
  }
}
