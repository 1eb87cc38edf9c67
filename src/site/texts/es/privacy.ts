import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/privacy.ts'

export const texts: Translation<typeof english> = {
  'privacy.lead':
    'Las conversaciones no se graban y los chats no se guardan nunca. Este aviso explica lo poco que sí guardamos, por qué, durante cuánto tiempo, y cómo puedes pedir que se elimine.',
  'privacy.profile': 'Qué guardamos sobre ti',
  'privacy.profile.intro': 'Tu perfil:',
  'privacy.profile.email': 'tu correo electrónico y tu nombre, tal como nos los da {providers} cuando inicias sesión;',
  'privacy.profile.nickname': 'el apodo que eliges;',
  'privacy.profile.gender': 'tu género;',
  'privacy.profile.preferences':
    'los idiomas que hablas, al principio los de tu navegador hasta que los cambies, y los intereses que indicas, si quieres, para que conozcas a gente que los comparta. Las personas con las que te encuentras solo ven lo que habéis elegido ambos;',
  'privacy.profile.birth': 'tu fecha de nacimiento, porque este servicio es solo para adultos;',
  'privacy.profile.picture':
    'tu foto de perfil. Las personas con las que te encuentras solo la ven si lo activas en tu perfil, y solo mientras estáis emparejados.',
  'privacy.profile.technical':
    'También anotamos que diste tu consentimiento y cuándo, y los datos técnicos de una visita: navegador, tipo de dispositivo, sistema operativo, y la ciudad y el país que sugiere tu red. La dirección de red en sí no se guarda; con ella y con el tipo de dispositivo formamos códigos que se pueden comparar pero no leer. Protegen el servicio contra los abusos.',
  'privacy.profile.activity':
    'Guardamos a quién conociste, cuándo empezaron y terminaron tus llamadas, a quién bloqueaste, las denuncias que hiciste y las que recibiste, con el motivo y las palabras de quien denuncia, que solo leen los moderadores, y los avisos y suspensiones con sus motivos.',
  'privacy.conversations': 'Tus conversaciones',
  'privacy.conversations.text':
    'La imagen y el sonido van cifrados de tu dispositivo a la otra persona. No se graban. Los mensajes de texto se transmiten y se olvidan: los chats no se guardan nunca, ni nosotros los guardamos ni se guardan en tu navegador.',
  'privacy.others': 'Qué ven los demás',
  'privacy.others.text':
    'La persona con la que hablas ve la imagen de tu cámara, tu apodo y lo que escribes, y tu foto de perfil si lo has activado. Tu correo electrónico, tu nombre y tu fecha de nacimiento nunca se envían a otro usuario. Como la imagen y el sonido viajan directamente, el dispositivo de la otra persona puede conocer tu dirección de red; «Ocultar mi dirección de red», en el panel, lo impide.',
  'privacy.moderation': 'Imágenes de la cámara y moderación',
  'privacy.frames.sent':
    'Mientras el panel muestra tu cámara, cada diez segundos se envía una imagen de ella a nuestro servidor.',
  'privacy.frames.unknown':
    'Que después un programa de nuestro servidor la examine en busca de contenido explícito depende de cómo esté configurado el servicio.',
  'privacy.frames.on':
    'Después, un programa de nuestro servidor la examina en busca de contenido explícito. Una sola señal no tiene consecuencias; varias en poco tiempo se conservan, cifradas, para que las vea un moderador, y hasta entonces pueden suspender la cuenta. El programa examina también las fotos de perfil antes de que las vea nadie más.',
  'privacy.frames.off': 'Ahora mismo ningún programa examina lo que muestra.',
  'privacy.frames.kept':
    'Anotamos cuándo llegó y su tamaño, y miramos si es negra, se repite o tu navegador la ha convertido en ruido; una imagen que no se conserva como se dice aquí se descarta al momento y no se escribe en ningún sitio. Las imágenes de una llamada solo se envían cuando se denuncia a alguien: lo que vio quien denuncia y la cámara de la persona denunciada. Se conservan cifradas y se borran cuando el caso está decidido y ningún recurso las necesita, y a los 30 días como muy tarde, salvo que la ley pida más tiempo.',
  'privacy.curtain.on':
    'En una llamada tu propio dispositivo mira las imágenes, si puede y no lo apagas, y oculta lo que pueda ser un desnudo. Ninguna imagen sale de tu dispositivo para ello. Después de la llamada nuestro servidor recibe cuántas veces miró, cuántas encontró algo y si la imagen se mostró de todos modos: se suma lo de todo el mundo y no se guarda de ninguna persona ni de ninguna llamada.',
  'privacy.curtain.off': 'En una llamada ningún programa mira las imágenes.',
  'privacy.curtain.unknown':
    'Si este servicio lo tiene previsto, en una llamada tu propio dispositivo mira las imágenes y oculta lo que pueda ser un desnudo. Ninguna imagen sale de tu dispositivo para ello. Después de la llamada nuestro servidor recibe cuántas veces miró, cuántas encontró algo y si la imagen se mostró de todos modos: se suma lo de todo el mundo y no se guarda de ninguna persona ni de ninguna llamada.',
  'privacy.content-notices':
    'Nadie necesita una cuenta para <report>denunciar una imagen íntima o una suplantación</report>. Guardamos entonces el correo, la firma, cuándo ocurrió, lo que se escribió y nuestra respuesta; solo lo ven los moderadores.',
  'privacy.kept': 'Cuánto tiempo lo guardamos',
  'privacy.kept.account':
    'Tu perfil, tu consentimiento, a quién bloqueaste y el historial de avisos y suspensiones: hasta que se elimine tu cuenta.',
  'privacy.kept.met': 'A quién conociste: 365 días desde el último encuentro.',
  'privacy.kept.reports':
    'Las denuncias con sus motivos y palabras, y lo que se encontró en las imágenes: 180 días; una denuncia que decidió un moderador: 365 días.',
  'privacy.kept.calls': 'Cuándo empezaron y terminaron tus llamadas y cuándo llegaron imágenes de la cámara: 30 días.',
  'privacy.kept.visits':
    'El navegador, el dispositivo y el sistema de una visita: 90 días; la ciudad y el país: 30 días.',
  'privacy.kept.codes':
    'Los códigos de la red y del dispositivo: 90 días, salvo que este servicio tenga configurado otro plazo.',
  'privacy.kept.content-notices':
    'Los avisos de personas sin cuenta: 180 días desde nuestra respuesta; quien envió uno puede eliminarlo antes, con su número.',
  'privacy.kept.logs': 'Los informes de fallos que permitiste: 30 días.',
  'privacy.kept.deleted':
    'Cuando se ha eliminado tu cuenta: códigos sin tu nombre con los que, si vuelves, se reconocen tus denuncias que resultaron falsas o esperan una decisión y las personas con las que no debes volver a coincidir: 365 días; un bloqueo dura tanto como la cuenta de quien bloqueó.',
  'privacy.kept.longer':
    'Lo que pertenece a un aviso, una suspensión o una revisión se queda hasta que terminen. Lo que la ley nos obliga a conservar queda aparte, y mientras tanto nadie lo usa.',
  'privacy.cookies': 'Cookies',
  'privacy.cookies.text':
    'Las cookies necesarias mantienen tu sesión y tu acceso; ningún script puede leerlas. Otra más recuerda el idioma que elegiste y, después de cerrar sesión, una mantiene cerrada tu sesión hasta que nuestro servidor se entera. Ahora mismo no hay ninguna de publicidad ni de análisis; si llegan, solo se guardarán si lo permites en el aviso de cookies, igual que los informes sobre fallos de la página solo se guardan y se envían entonces. Algunos de quienes lo permiten también envían cifras sobre sus llamadas: cuánto tardó la imagen, si la llamada se estableció, cuántas veces se congeló la imagen, con qué rapidez respondió la página y el tipo de navegador. Solo las contamos, por país, y no guardamos con ellas ni nombre ni cuenta. Con «Ajustes de cookies», al pie de cada página, cambias tu respuesta, y todo funciona sin ellas.',
  'privacy.sharing': 'Quién más recibe datos',
  'privacy.sharing.text':
    'No vendemos tus datos. {providers} sabe que inicias sesión aquí, según sus propias condiciones. Para preparar una llamada, tu navegador pregunta su propia dirección de red a un servidor, que puede ser público, y nosotros podemos preguntar a un servicio de localización a qué ciudad pertenece esa dirección. Las actividades ilegales se comunican a las autoridades, con lo que la ley nos pida entregar.',
  'privacy.security': 'Cómo se protegen',
  'privacy.security.text':
    'Las conexiones van cifradas. Las claves de tu sesión están en cookies que ningún script puede leer. Los demás usuarios te conocen por tu apodo.',
  'privacy.rights': 'Tus derechos',
  'privacy.rights.text':
    'Puedes preguntar qué sabemos de ti, pedir que se corrija, llevarte una copia, oponerte o retirar un consentimiento en cualquier momento. También puedes reclamar ante la autoridad de protección de datos del lugar donde vives.',
  'privacy.rights.correct':
    'El apodo, la foto y el género los cambias tú en tu perfil. Una fecha de nacimiento equivocada la corrige un moderador si lo pides.',
  'privacy.rights.write': 'Para todo lo que aquí no tiene un botón, escribe a <contact/>.',
  'privacy.rights.copy':
    'Con «Descargar mis datos», en tu perfil, recibes al momento una copia de todo lo que guardamos sobre ti.',
  'privacy.deletion': 'Eliminación',
  'privacy.deletion.here':
    'Inicia sesión, abre tu perfil arriba a la derecha y elige «Eliminar mi cuenta». Allí te decimos hasta cuándo puedes cambiar de idea.',
  'privacy.deletion.write':
    'O escribe a <contact/> desde la dirección con la que inicias sesión y pide la eliminación.',
  'privacy.deletion.text':
    'Las solicitudes se atienden en un plazo de 10 días hábiles; entonces se borran tu perfil y todo lo que le pertenece, salvo lo necesario para un bloqueo o un caso en curso.',
  'privacy.deletion.facebook':
    'Si llegaste a través de Facebook, <page>la página de eliminación de datos</page> explica lo mismo paso a paso.',
  'privacy.payments': 'Pagos',
  'privacy.payments.text':
    'Hoy no hay nada que pagar. Puede que lleguen funciones prémium; los pagos se harían entonces a través de pasarelas que cumplen la normativa, y nunca veríamos tu tarjeta.',
  'privacy.changes': 'Cambios y contacto',
  'privacy.changes.text':
    'Este aviso forma parte de nuestros <terms>términos y condiciones</terms>. Cuando cambia, cambia también la fecha de arriba.',
  'privacy.changes.contact': 'Las preguntas van a <contact/>.',
}
