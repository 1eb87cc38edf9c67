import { expect, test } from 'vitest'
import { mailboxOf } from '../../../../server/moderation/rules/mailbox.ts'

test.each([
  ['Ada.Love+dates@Gmail.com', 'adalove@gmail.com'],
  ['a.d.a@googlemail.com', 'ada@gmail.com'],
  ['Ada.Love+x@outlook.com', 'ada.love@outlook.com'],
  ['ada+x@icloud.com', 'ada@icloud.com'],
  ['Ada.Love+x@example.org', 'ada.love+x@example.org'],
  ['"a@b"@example.org', '"a@b"@example.org'],
])('%s is the mailbox %s', (email, mailbox) => expect(mailboxOf(email)).toBe(mailbox))
