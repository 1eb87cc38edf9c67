import type { texts as english } from '../en/notices.ts'
import type { Translation } from '../messages.ts'

export const texts: Translation<typeof english> = {
  'notices.popup-blocked':
    'Se ha bloqueado la ventana para iniciar sesión. Permite las ventanas emergentes de este sitio',
  'notices.sign-in-cancelled': 'Se ha cancelado el inicio de sesión',
  'notices.sign-in-failed': 'No se ha podido iniciar sesión con {provider}: {reason}',
  'notices.peer-left': '{nickName} ha salido del chat.',
  'notices.connection-lost': 'Se ha perdido la conexión con {nickName}.',
  'notices.unnamed-peer': 'Alguien',
  'notices.report-taken': 'Gracias. Hemos enviado tu denuncia a los moderadores.',
  'notices.report-waiting': 'Enviaremos tu denuncia en cuanto vuelva la conexión.',
  'notices.report-failed': 'No se ha podido enviar tu denuncia. Si todavía ves a esta persona, vuelve a denunciarla.',
  'notices.hub-unavailable':
    'Error E300: No podemos conectar con nuestros servicios. Comprueba tu conexión a internet e inténtalo de nuevo.',
  'notices.replaced': 'Has abierto el chat en otra pestaña, así que aquí ha terminado.',
  'notices.camera-refused':
    'No se puede acceder a la cámara ni al micrófono. Restablece los permisos e inténtalo de nuevo.',
  'notices.relay-unavailable':
    'No hay ningún servidor de retransmisión disponible, así que no podemos ocultar tu dirección de red. Inténtalo más tarde o desactiva "Ocultar mi dirección de red".',
  'notices.deletion-asked':
    'Tu cuenta se eliminará el {due} a más tardar. Si quieres conservarla, inicia sesión antes del {start}.',
  'notices.no-small-window': 'No se ha podido abrir la ventana pequeña.',
}
