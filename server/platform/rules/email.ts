/** Sends one email. Resolves with `refused` for one that the mail server will never accept; rejects where a retry may help. */
export interface EmailTransport {
  send(email: { id: string; to: string; subject: string; text: string }): Promise<'sent' | 'refused'>
}
