import { PRODUCT_NAME } from '#protocol/constants.ts'
import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/report-content.ts'

export const texts: Translation<typeof english> = {
  'report-content.title': 'Denunciar contenido',
  'report-content.lead': `¿Alguien ha publicado o enviado una imagen íntima tuya sin tu consentimiento, o se hace pasar por ti en ${PRODUCT_NAME}? Cuéntanoslo aquí. No necesitas una cuenta.`,
  'report-content.form': 'Tu aviso',
  'report-content.kind': '¿Qué ha pasado?',
  'report-content.kind.intimate-picture': 'Se ha publicado o enviado una imagen íntima mía sin mi consentimiento',
  'report-content.kind.impersonation': 'Alguien se hace pasar por mí',
  'report-content.email': 'Tu correo electrónico',
  'report-content.email.hint': 'Solo para nuestra respuesta. La persona a la que denuncias no lo ve.',
  'report-content.day': 'Cuándo ocurrió: fecha',
  'report-content.time': 'Hora, si la sabes',
  'report-content.description': 'Descripción',
  'report-content.description.hint':
    'Dónde se vio, qué muestra y cómo podemos reconocerlo: el apodo, la hora, lo que se dijo. Por favor, no envíes la imagen.',
  'report-content.link': 'Enlace (opcional)',
  'report-content.link.hint':
    'A una declaración tuya de que estos hechos son ciertos, o al lugar donde se puede ver la imagen.',
  'report-content.isTrue':
    'Declaro que lo que escribo aquí es, hasta donde sé, cierto y completo, y que soy la persona afectada o puedo actuar en su nombre.',
  'report-content.isGoodFaith':
    'Creo de buena fe que la imagen que describo se ha publicado o enviado sin el consentimiento de la persona que aparece en ella.',
  'report-content.signature': 'Firma: tu nombre completo',
  'report-content.signature.hint':
    'Al escribir aquí tu nombre firmas este aviso, por ti o por la persona que aparece en la imagen. Solo lo ven los moderadores.',
  'report-content.send': 'Enviar el aviso',
  'report-content.sending': 'Enviando...',
  'report-content.proving':
    'Están llegando muchos avisos. Tu navegador hace un cálculo que una avalancha no podría pagar: tarda hasta medio minuto.',
  'report-content.no-script': 'Este formulario necesita JavaScript.',
  'report-content.fault.kind': '¿Qué ha pasado? Elige una de las dos opciones.',
  'report-content.fault.email': 'Tu correo electrónico: escríbelo entero, como en nombre@example.org.',
  'report-content.fault.day.missing': 'Fecha: di qué día ocurrió. Basta con una estimación.',
  'report-content.fault.day': 'Fecha: ese día no existe o está en el futuro.',
  'report-content.fault.time': 'Hora: hacen falta horas y minutos, como en 23:59.',
  'report-content.fault.description.missing': 'Descripción: di qué ha pasado.',
  'report-content.fault.description.too-long': 'Descripción: {max} caracteres como máximo. Acórtala, por favor.',
  'report-content.fault.description':
    'Descripción: tiene caracteres que no se pueden mostrar. Escríbela de nuevo, por favor.',
  'report-content.fault.link.too-long': 'Enlace: {max} caracteres como máximo.',
  'report-content.fault.link': 'Enlace: empieza por https:// y no tiene espacios ni @ antes del nombre del sitio.',
  'report-content.fault.isTrue': 'Necesitamos tu declaración antes de poder actuar.',
  'report-content.fault.isGoodFaith':
    'Para una imagen íntima necesitamos tu declaración de que no hubo consentimiento.',
  'report-content.fault.signature': 'Firma: escribe tu nombre completo, con {max} caracteres como máximo.',
  'report-content.failure.unsent':
    'No se ha podido enviar. Todo lo que has escrito sigue aquí: inténtalo de nuevo cuando vuelva tu red. No se cuenta dos veces.',
  'report-content.failure.too-many':
    'Llegan demasiados avisos desde tu red o en total. Todo lo que has escrito sigue aquí: inténtalo de nuevo dentro de una hora.',
  'report-content.failure.refused': 'Nuestro servidor no lo ha aceptado. Todo lo que has escrito sigue aquí.',
  'report-content.receipt': 'Tu aviso ha llegado',
  'report-content.reference': 'Número de referencia',
  'report-content.received': 'Recibido',
  'report-content.due': 'Respuesta como muy tarde',
  'report-content.receipt.keep':
    'Apunta el número, por favor. Con él y con tu correo puedes consultar la respuesta aquí abajo en cualquier momento.',
  'report-content.receipt.again': 'Enviar otro aviso',
  'report-content.next': 'Qué pasa después',
  'report-content.next.receipt': 'Recibes al momento un número de referencia.',
  'report-content.next.read':
    'Un moderador, nunca un programa, lee el aviso: en 48 horas si es una imagen íntima sin consentimiento, en 7 días si es una suplantación.',
  'report-content.next.answer':
    'La respuesta dice qué hemos hecho y por qué. Puedes leerla aquí con tu número; si este servicio envía correos, te llega también por correo.',
  'report-content.next.complain':
    'Si la respuesta está equivocada, envía otro aviso con el número del primero. También puedes acudir a la policía o a un tribunal en cualquier momento. Aquí las llamadas no se graban: podemos cerrar cuentas, pero no recuperar lo que alguien haya guardado en otro sitio.',
  'report-content.lookup': 'Consultar un aviso',
  'report-content.lookup.read': 'Ver su estado',
  'report-content.lookup.reading': 'Buscando...',
  'report-content.lookup.unknown':
    'No hay ningún aviso con este número y este correo. Comprueba los dos, por favor. Un aviso se elimina 180 días después de su respuesta.',
  'report-content.lookup.unread': 'No ha funcionado. Inténtalo de nuevo dentro de un momento.',
  'report-content.lookup.deleted': 'El aviso está eliminado. No queda nada de él.',
  'report-content.state': 'Estado',
  'report-content.state.open': 'Ningún moderador ha respondido todavía. La respuesta llega antes del {date}.',
  'report-content.state.acted': 'Hemos actuado el {date}:',
  'report-content.state.declined': 'No hemos podido actuar, {date}:',
  'report-content.erase': 'Eliminar este aviso',
  'report-content.erase.title': '¿Eliminar este aviso?',
  'report-content.erase.text':
    'Todo lo que le pertenece se elimina al momento, también tu correo y nuestra respuesta. Un aviso sin respuesta queda así retirado.',
  'report-content.erase.keep': 'Conservarlo',
  'report-content.data': 'Tus datos',
  'report-content.data.text':
    'Guardamos lo que escribes aquí hasta 180 días después de nuestra respuesta, solo para este aviso, y solo lo ven los moderadores. Antes puedes eliminarlo tú con tu número. Hay más en nuestro <privacy>aviso de privacidad</privacy>.',
}
