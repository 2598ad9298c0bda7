# Declarações contra conteúdo: contradições aceitas, números atestados, vínculos, novas leituras.

## Sentences of the judgement

statement-accepted = { $run } declara { $field } como “{ $stated }”, { $evidence } diz “{ $found }”: aceito por { $person } em { $at }, porque { $reason }
gate-run-linked = { $run } se apoia em { $evidence }, os mesmos bytes de { $first } de { $case }: um vínculo não é reprodução. Meça de novo.
gate-runs-overlap-content = Os arquivos de { $a } e { $b } falam do mesmo período e contam como um só, sejam quais forem as janelas declaradas.
gate-attested-held = { $measure } de { $run } vale com um número lido por uma pessoa: atestado por { $person } a partir de { $evidence }, contra-assinado por { $reviewer }.
gate-attested-moved = O número atestado { $attested } mudou, ou o que os revisores dizem dele.
gate-acceptance-moved = Uma declaração contradita foi aceita.
gate-stage-disputed-attested = Etapa { $stage }, { $run }: { $person } atesta { $measure } como { $attested } a partir de { $evidence }; { $other } diz { $extracted }. Recuse o número atestado ou ponha o arquivo de lado.
measure-attested-open = { $measure } de { $run } foi atestado por { $person } ({ $evidence }) e não foi contra-assinado. Um revisor que não contribuiu o contra-assina.
measure-attested-canary = { $measure } de { $run } é atestado ({ $evidence }), e um canário é julgado só pelo que foi lido de arquivos. Adicione evidência que um leitor leia.
gate-reread-moved = { $evidence }, relido pelo leitor { $parser }: { $measure } passou de { $before } para { $after }. Registre a condição de novo.
gate-reread-gone = { $evidence }, relido pelo leitor { $parser }: { $measure } era { $before } e agora é { $after }. Registre a condição de novo.
gate-reread-unchanged = { $evidence } relido pelo leitor { $parser }, sem mudança.
contributor-attester = { $person } atestou este número ou anexou seu arquivo e não pode contra-assiná-lo.
contributor-stated = { $person } declarou a execução ou anexou o arquivo e não pode aceitar o que o contradiz.

## Acts

case-act-contradiction-accept = aceitou uma declaração contradita
case-act-signal-attest = atestou um número
case-act-signal-countersign = contra-assinou um número
case-act-signal-decline = recusou um número
case-act-vouch-refused = tentou responder por algo e foi recusado
audit-act-contradiction-accept = Declaração contradita aceita
audit-act-signal-attest = Número atestado
audit-act-signal-countersign = Número atestado contra-assinado
audit-act-signal-decline = Número atestado recusado
audit-act-vouch-refused = Tentativa de responder por algo recusada

## Attesting a number

attest-title = Atestar um número para { $run }
attest-lede = Para provas que nenhum leitor lê: uma captura de tela, um documento do fornecedor, uma ferramenta que não conhecemos. O número aparece como atestado, com o seu nome, e conta depois que um revisor que não contribuiu o contra-assina. Ele nunca entra no veredito de um canário.
attest-link = Atestar um número
attest-signal = Sinal
attest-statistic = Estatística
attest-value = Valor
attest-unit = Unidade
attest-unit-hint = As unidades do próprio sinal, por exemplo ms ou %.
attest-samples = Amostras por trás dele
attest-start = De (UTC)
attest-end = Até (UTC)
attest-class = Classe de tarefa
attest-class-run = como declarado para a execução
attest-file = O arquivo de onde foi lido
attest-file-hint = Qualquer tipo. É guardado como está e nunca é interpretado.
attest-source = Ou um arquivo que já está aqui
attest-source-new = um arquivo novo
attest-place = Onde ele está no arquivo
attest-place-hint = Uma frase que permita ao revisor encontrá-lo, com pelo menos 10 caracteres.
attest-save = Atestar
attest-fault-signal = Escolha um sinal do catálogo.
attest-fault-statistic = Escolha uma estatística.
attest-fault-value = O valor falta ou não é um número.
attest-fault-unit = A unidade falta ou não é deste sinal: { $units }.
attest-fault-samples = Falta o número de amostras: um inteiro a partir de 1.
attest-fault-window = Falta a janela: as duas pontas, como 2026-11-30T15:40.
attest-fault-window-order = A janela termina antes de começar.
attest-fault-window-future = A janela está no futuro.
attest-fault-window-run = A janela está fora da janela da execução.
attest-fault-class = A execução foi declarada só para { $class }.
attest-fault-file = Falta o arquivo de onde o número foi lido.
attest-fault-place = Diga onde ele está no arquivo, com pelo menos 10 caracteres.
attested-kind = fonte atestada
attested-section = Números atestados
attested-word = atestado
attested-by = atestado por { $person }, { $at }
attested-typed = digitado como { $value } { $unit }
attested-countersigned = contra-assinado por { $person }, { $at }
attested-open = não contra-assinado
attested-declined = recusado por { $person }, { $at }: { $reason }
attested-not-counted = contra-assinado por { $person }, que participa do caso: não conta
attested-place = Onde ele está
attested-countersign = Contra-assinar
attested-countersign-hint = Você olhou o arquivo, e o número está lá como atestado.
attested-decline = Recusar
attested-decline-reason = Recusar, porque
attested-fault-reason = Uma recusa precisa de um motivo com pelo menos 5 caracteres.
attested-source-note = Guardado como prova de um número atestado; nenhum leitor o lê.
attested-on-card = { $measure } { $value }, atestado por { $person } ({ $standing })

## Accepting a contradiction

contradiction-accept-reason = Aceitar a declaração como está, porque
contradiction-accept-save = Aceitar
contradiction-accept-hint = Para revisores que não contribuíram: a declaração está certa, embora o arquivo diga outra coisa. Fica guardado com seu nome e motivo.
contradiction-fault-reason = O motivo precisa de pelo menos 10 caracteres.
contradiction-gone = Esta contradição não existe mais: a declaração ou a leitura mudou. Veja o item de novo.
contradiction-accepted = { $field } foi declarado como { $stated }, o arquivo diz { $found }: aceito por { $person }, { $at }: { $reason }
vouch-refused = Nada foi escrito.

## The same bytes elsewhere

link-first = Os mesmos bytes vieram primeiro como { $item } de { $case }, { $at }. Aqui são um vínculo e nunca contam como reprodução.
link-later = Os mesmos bytes são também { $item } de { $case }, { $at }.
link-before = Os mesmos bytes já estiveram aqui como { $item }: { $state }, { $person }, { $at }{ $reason }
link-first-card = Vínculo com { $item } de { $case }: não é reprodução própria
link-section = Os mesmos bytes
upload-fault-withdrawn = { $name }: estes bytes estavam aqui como { $item } e foram retirados{ $history } Diga abaixo por que voltam e envie o arquivo de novo.
upload-fault-withdrawn-by = por { $person }, { $at }: { $reason }
upload-again = Por que voltam bytes que foram retirados
upload-again-hint = Só quando um arquivo foi retirado deste caso antes; pelo menos 5 caracteres.
evidence-again = Voltou, porque

## Readings

reading-versions = Leituras
reading-newest = a mais nova
reading-old = Você vê uma leitura anterior, do leitor { $parser }, { $at }. A mais nova é a que conta.
reading-first = primeira leitura
reading-unchanged = sem mudança
reading-moved = { $count ->
    [one] 1 número diferente
   *[other] { $count } números diferentes
}
reading-parser = Leitor { $version }
reading-show = Mostrar
reading-column-parser = Lido por
reading-column-when = Quando
reading-column-moved = Diante da leitura anterior
