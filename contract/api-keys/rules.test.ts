import { describe, expect, test } from 'vitest'

import { canonicalEntry, isAddressOrRange, isExpired } from './rules.ts'
import { NewApiKey } from './schema.ts'

describe('an address or a range', () => {
  test.each([
    '10.0.0.1',
    '0.0.0.0/0',
    '10.0.0.0/32',
    '::1',
    '::',
    '2001:db8::/32',
    '2001:DB8::5',
    '::ffff:10.0.0.1',
    '::ffff:10.0.0.0/104',
    '::/0',
  ])('%s is one', (entry) => {
    expect(isAddressOrRange(entry)).toBe(true)
  })

  test.each([
    '',
    'localhost',
    '999.1.1.1',
    '10.0.0',
    '10.0.0.1.',
    '10.0.0.01',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0 /8',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    '2001:db8::/064',
    '1::2::3',
    '12345::',
    '[::1]',
    '::1]/x[',
    'fe80::1%eth0',
    'fe80::1%25eth0',
    '10.0.0.1, 10.0.0.2',
    '１０.0.0.1',
    '10.0.0.1\n',
  ])('%j is none', (entry) => {
    expect(isAddressOrRange(entry)).toBe(false)
    expect(canonicalEntry(entry)).toBe(entry)
  })

  test.each([
    ['10.0.0.1/32', '10.0.0.1'],
    ['::FFFF:10.0.0.1', '10.0.0.1'],
    ['::ffff:a00:1', '10.0.0.1'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:0:0/90', '::ffff:0:0/90'],
    ['2001:0DB8:0:0::1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:0db8::/32', '2001:db8::/32'],
  ])('%s is written %s', (entry, written) => {
    expect(canonicalEntry(entry)).toBe(written)
  })
})

test('the same address is listed once, however it is written', () => {
  const { allowedIpAddresses } = NewApiKey.parse({
    name: 'Office',
    ipAddressRestricted: true,
    allowedIpAddresses: [' 10.0.0.1 ', '::ffff:10.0.0.1', '10.0.0.1/32', '2001:DB8::1', '2001:db8:0::1'],
  })
  expect(allowedIpAddresses).toEqual(['10.0.0.1', '2001:db8::1'])
})

test('a key ends at its moment', () => {
  const key = { expiresTimestamp: '2026-01-01T00:00:00.000Z' }
  const end = Date.parse(key.expiresTimestamp)
  expect([end - 1, end].map((now) => isExpired(key, now))).toEqual([false, true])
  expect(isExpired({ expiresTimestamp: null }, end)).toBe(false)
})
