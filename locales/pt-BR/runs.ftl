# Execuções: o formulário, seus erros, a página de uma execução e a entrega de arquivos.

back = Voltar
crumbs = Onde você está
run-new = Nova execução
run-new-title = Declare o que foi medido
run-correct = Corrigir a declaração
run-correct-title = Corrigir o que está declarado sobre { $run }
run-lede = Uma execução é uma medição só. O que você declara é conferido com o que os arquivos dizem; “desconhecido” é uma resposta válida e mantém a execução fora do portão até que se saiba.
run-role = Para quê
run-phase = Fase
run-profiled = Com profiler
run-contract = Versão do contrato
run-contract-none = nenhuma
run-class = Classe de tarefa
run-class-all = todas as classes juntas
run-band = Faixa de concorrência
run-band-none = não declarada
run-start = Início (UTC)
run-end = Fim (UTC)
run-window = Janela
run-window-none = não declarada
run-window-hint = Quando a medição ocorreu. Duas execuções que se sobrepõem no tempo contam como uma.
run-environment = Ambiente
run-environment-hint = Um fato por linha, como chave = valor. Chave em branco não é declarada. Configurações do motor como setting.NOME = valor, por exemplo setting.max_num_batched_tokens = 8192.
run-environment-unknown = Nada está declarado sobre onde rodou: não pode entrar no portão.
run-note = Observação
run-reason = Por que está sendo corrigida
run-save = Salvar e adicionar os arquivos
run-save-correction = Salvar a correção
run-stated-by = Declarada por
run-statement-n = declaração { $n }
run-evidence = Evidência desta execução
run-add-evidence = Adicionar arquivos
run-no-evidence = Nenhum arquivo ainda. Adicione o que suas ferramentas gravaram enquanto ela rodava.
run-item = Item
run-kind = Tipo
run-state = Situação
run-files = Arquivos
run-contradicted = { $field }: declarado “{ $stated }”, o arquivo diz “{ $found }”
run-fault-choice = Escolha um dos valores oferecidos.
run-fault-contract = Esta versão de contrato não pertence ao caso. Escolha uma da lista.
run-fault-time = Informe data e hora em UTC, como 2026-11-30T15:40, nas duas pontas ou em nenhuma.
run-fault-order = O fim precisa vir depois do início.
run-fault-future = O fim está no futuro. Informe em UTC, não na hora local.
run-fault-environment = A linha { $line } do ambiente não tem a forma chave = valor (letras, dígitos, “.”, “_”, “-” na chave; no máximo 300 caracteres no valor).
run-fault-environment-twice = O ambiente declara { $key } duas vezes. Deixe só uma.
run-fault-reason = Diga em poucas palavras por que está corrigindo (no mínimo 5 caracteres).
run-fault-note = A observação passa de 2 000 caracteres.

upload-title = Adicionar arquivos a { $run }
upload-lede = Anexe o que suas ferramentas gravaram, do jeito que gravaram: métricas do vLLM em texto Prometheus (também gzip), um CSV do perf_analyzer, uma exportação SQLite do Nsight Systems. Até { $size } por arquivo e { $files } arquivos por vez. O resumo criptográfico é calculado aqui enquanto os bytes chegam.
upload-files = Arquivos
upload-files-hint = Vários arquivos podem ser escolhidos. Relatórios binários do Nsight Systems (.nsys-rep) são respondidos com o comando que os exporta; os do Nsight Compute (.ncu-rep) ainda não são lidos.
upload-together = Como os arquivos se relacionam
upload-together-auto = Pelo conteúdo: coletas de métricas do vLLM formam um item só, na ordem dos nomes; qualquer outro arquivo é um item próprio
upload-together-yes = Todos formam um item só, na ordem dos nomes
upload-together-no = Cada arquivo é um item próprio
upload-go = Enviar e ler
upload-fault-none = Escolha ao menos um arquivo.
upload-fault-same = { $name }: exatamente estes bytes já estão neste caso, como { $item }. Os mesmos bytes nunca contam duas vezes.
upload-kept = Guardado: { $items }. Está sendo lido.
upload-progress = Enviando…

evidence-reason-fault = Diga em poucas palavras por quê (no mínimo 5 caracteres).
