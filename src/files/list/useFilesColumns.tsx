import Box from '@mui/material/Box'
import type { GridColDef } from '@mui/x-data-grid'
import { useLocaleState } from 'react-admin'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'

import { ROOT } from '#contract/files/schema.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { menuColumn } from '#src/kit/list/menuColumn.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import type { Listed } from '../selectionValues.ts'
import { folderPath } from '../useFilesRoute.ts'
import { FoundText } from './FoundText.tsx'
import { ItemName } from './ItemName.tsx'
import { folderLabel, nameOf, placeOf } from './itemValues.ts'
import type { FilesLayoutProps } from './layoutValues.ts'

/** Column with an item's path, for search results only. */
const PLACE = 'place'

/**
 * Visible columns: always the name, and fewer beside the details panel, which repeats them.
 * @param isNarrow true if the window fits the name only
 */
export function visibleColumns(options: { isFound: boolean; hasDetails: boolean; isNarrow: boolean }) {
  const { isFound, hasDetails, isNarrow } = options
  const isCrowded = hasDetails && isNarrow
  return {
    [PLACE]: isFound && !isCrowded,
    type: !isCrowded && !(isFound && hasDetails),
    createdByName: !hasDetails && !isFound,
    updateTimestamp: !isCrowded,
  }
}

/** Columns of the table: the name opens a folder, the last one holds the menu. */
export function useFilesColumns({
  onOpen,
  onMenu,
  view: { place },
}: Pick<FilesLayoutProps, 'onOpen' | 'onMenu' | 'view'>) {
  const text = useText()
  const [locale] = useLocaleState()
  const isSortable = place === 'folder'
  return useMemo(
    (): GridColDef<Listed>[] => [
      {
        field: 'name',
        headerName: text('files.name'),
        sortable: isSortable,
        flex: 3,
        minWidth: 220,
        rowHeader: true,
        cellClassName: 'first',
        renderCell: ({ row }) => {
          return (
            // The lines of a cell are as high as its row.
            <Box sx={{ minWidth: 0, lineHeight: '24px', '& .row-link': { maxWidth: '100%' } }}>
              <button
                type="button"
                className="row-link"
                tabIndex={-1}
                onClick={(event) => {
                  // Keeps opening a row from selecting it.
                  event.stopPropagation()
                  onOpen(row)
                }}
              >
                <ItemName item={row} />
              </button>
              {row.textMatch && (
                <Box sx={{ paddingInlineStart: '28px' }}>
                  <FoundText match={row.textMatch} />
                </Box>
              )}
            </Box>
          )
        },
      },
      {
        field: 'type',
        headerName: text('files.type'),
        flex: 1.4,
        // Fits the longest folder kind.
        minWidth: 196,
        sortable: false,
        renderCell: ({ row }) => {
          const label = folderLabel(row)
          return label ? text(label) : row.extension.toUpperCase()
        },
      },
      {
        field: PLACE,
        headerName: text('files.place'),
        flex: 2,
        minWidth: 160,
        sortable: false,
        renderCell: ({ row }) => {
          const place = placeOf(text('files.title'), row.path ?? [])
          return (
            <Link
              className="row-link"
              tabIndex={-1}
              to={folderPath(row.path?.at(-1)?.id ?? ROOT)}
              title={place}
              onClick={(event) => event.stopPropagation()}
            >
              <Box component="bdi" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
                {place}
              </Box>
            </Link>
          )
        },
      },
      {
        field: 'size',
        headerName: text('files.size'),
        sortable: isSortable,
        width: 96,
        align: 'right',
        headerAlign: 'right',
        renderCell: ({ row }) => (row.isFolder ? '' : fileSize(locale, row.size)),
      },
      {
        field: 'createdByName',
        headerName: text('files.createdBy'),
        flex: 1,
        minWidth: 120,
        sortable: false,
        renderCell: ({ row }) => <bdi>{row.createdByName}</bdi>,
      },
      {
        field: 'updateTimestamp',
        headerName: text('files.updated'),
        sortable: isSortable,
        width: 150,
        renderCell: ({ row }) => <Time at={row.updateTimestamp} />,
      },
      menuColumn({ text, nameOf, hasMenu: () => true, onMenu }),
    ],
    [text, locale, isSortable, onOpen, onMenu],
  )
}
